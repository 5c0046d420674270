"""The steps from each schema to the next; Alembic runs them, in the transaction of `migrate`.

A step that was published is never changed. A new one takes the next number, which is its
revision, its file's name and `tables.SCHEMA_VERSION`.
"""
