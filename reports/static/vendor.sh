#!/bin/sh
# Makes chessground.js and chessground.css in this folder, and tests/static/axe.min.js, again from
# npm's registry. Needs node and npm. Change a version here, run it, and write the new digests
# into README.md: a test compares them.
set -eu

CHESSGROUND=10.4.1
ESBUILD=0.28.2
AXE=4.14.1

here=$(cd "$(dirname "$0")" && pwd)
tests="$here/../../tests/static"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts \
    "@lichess-org/chessground@$CHESSGROUND" "esbuild@$ESBUILD" "axe-core@$AXE"

from=node_modules/@lichess-org/chessground
printf 'export { Chessground } from "./%s/dist/chessground.js";\n' "$from" > board.js
notice="/* chessground $CHESSGROUND, Lichess, GPL-3.0-or-later, https://github.com/lichess-org/chessground */"
node_modules/.bin/esbuild board.js --bundle --minify --format=iife --global-name=ChessgroundModule \
    --banner:js="$notice" --outfile="$here/chessground.js"
cat "$from/assets/chessground.base.css" "$from/assets/chessground.brown.css" \
    "$from/assets/chessground.cburnett.css" > board.css
node_modules/.bin/esbuild board.css --minify --banner:css="$notice" --outfile="$here/chessground.css"
cp "$from/LICENSE" "$here/chessground.LICENSE"

mkdir -p "$tests"
cp node_modules/axe-core/axe.min.js "$tests/axe.min.js"
cp node_modules/axe-core/LICENSE "$tests/axe.LICENSE"
cd "$here" && sha256sum chessground.js chessground.css && cd "$tests" && sha256sum axe.min.js
