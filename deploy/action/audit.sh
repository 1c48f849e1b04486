#!/usr/bin/env bash
# What action.yml runs: audits the stores, with annotations in the log, a summary and outputs. Each
# input is passed as one argument and never run, regardless of its content.
set -euo pipefail

folder="$RUNNER_TEMP/aisle-${GITHUB_RUN_ATTEMPT:-1}-$$"
mkdir -p "$folder"
echo "folder=$folder" >> "$GITHUB_OUTPUT"

aisle() { npx --yes --package "$AISLE_PACKAGE" -- aisle "$@"; }

if [ -z "$AISLE_PACKAGE" ]; then
  echo '::error title=Aisle::The input package is missing. Give the name under which your package is on npm, with its version, or the tarball that npm run pack writes.'
  exit 2
fi

# Domains have no spaces; * and ? must not match files.
set -f
# shellcheck disable=SC2206
domains=($AISLE_DOMAINS)
set +f
for domain in ${domains[@]+"${domains[@]}"}; do
  case "$domain" in
    -*)
      echo '::error title=Aisle::The input domains takes domains, such as shop.example, and no flags.'
      exit 2
      ;;
  esac
done

case "$AISLE_OPEN_SESSIONS" in
  true | false) ;;
  *)
    echo '::error title=Aisle::The input open-sessions takes true or false.'
    exit 2
    ;;
esac

walk="$AISLE_WALK"
if [ "$AISLE_OPEN_SESSIONS" = true ]; then
  if [ "${#domains[@]}" -ne 1 ]; then
    echo '::error title=Aisle::The input open-sessions needs one domain in the input domains: that of your own store.'
    exit 2
  fi
  # The audit reports the gaps of the walk, so its exit code does not matter here.
  aisle walk "${domains[0]}" --yes-open-sessions --output "$folder/walk.json" --output "$folder/walk.md" || true
  if [ -f "$folder/walk.json" ]; then walk="$folder/walk.json"; fi
elif [ -f "$walk" ]; then
  cp -- "$walk" "$folder/walk.json"
fi

arguments=(--format github)
for kind in json md sarif xml; do arguments+=(--output "$folder/report.$kind"); done
add() { if [ -n "$2" ]; then arguments+=("$1=$2"); fi; }
add --config "$AISLE_CONFIG"
add --checks "$AISLE_CHECKS"
add --fail-on "$AISLE_FAIL_ON"
add --fail-under "$AISLE_FAIL_UNDER"
add --baseline "$AISLE_BASELINE"
add --walk "$walk"

aisle audit "${arguments[@]}" -- ${domains[@]+"${domains[@]}"}
