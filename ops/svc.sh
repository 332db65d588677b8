#!/bin/sh
# Runs a command of the service as its user, with its settings, where systemd runs the service. Install it as /usr/local/sbin/svc.
# SVC_ENV names another file of settings, such as that of a restore drill, and SVC_HOME the folder of another version.
exec systemd-run --quiet --collect --wait --pty --pipe --uid=svc --gid=svc --working-directory="${SVC_HOME:-/opt/svc}" \
  --setenv=NODE_ENV=production --setenv=DATA_DIR=/var/lib/svc --setenv="SUDO_USER=${SUDO_USER:-$(id -un)}" \
  --property="EnvironmentFile=${SVC_ENV:-/etc/svc.env}" --property=UMask=0077 \
  /usr/bin/env node bin/svc "$@"
