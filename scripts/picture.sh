#!/usr/bin/env bash
# picture.sh [RUN]: makes docs/img/report.png, the README's picture: the top of a run's report (the
# quickstart's unless another is given). Needs chromium and ImageMagick (apt-get install chromium imagemagick).
set -euo pipefail
run=${1:-results/runs/quickstart}
[ -f "$run/report/index.html" ] || { echo "picture.sh: $run has no report: make quickstart first" >&2; exit 2; }
mkdir -p docs/img
chromium --headless --no-sandbox --hide-scrollbars --force-device-scale-factor=1.3 --window-size=1200,560 \
	--screenshot=docs/img/report.png "file://$(realpath "$run")/report/index.html" 2>/dev/null
convert docs/img/report.png -colors 64 -strip docs/img/report.png 2>/dev/null || true # smaller, where ImageMagick is there
ls -l docs/img/report.png
