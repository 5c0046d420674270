"""`python -m pipeline.cli`, where the `movelo` command is not on the PATH."""

from pipeline.cli.app import main

main()
