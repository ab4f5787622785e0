#!/bin/bash
# Stands in for the entrypoint of Flink's image: its two commands for a session cluster, with the memory that Flink's own class computes.
set -euo pipefail
case "${1:-}" in
  jobmanager)
    resources=GET_JM_RESOURCE_PARAMS
    main=org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint
    ;;
  taskmanager)
    resources=GET_TM_RESOURCE_PARAMS
    main=org.apache.flink.runtime.taskexecutor.TaskManagerRunner
    ;;
  *) exec "$@" ;;
esac
own="$(sed -n "s/^env.java.opts.$1: //p" /opt/flink/conf/config.yaml)"
shift
opens="$(sed -n 's/^env.java.opts.all: //p' /opt/flink/conf/config.yaml)"
mapfile -t computed < <(java -cp '/opt/flink/lib/*' org.apache.flink.runtime.util.bash.BashJavaUtils \
  "$resources" --configDir /opt/flink/conf "$@" | sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p')
export FLINK_PLUGINS_DIR=/opt/flink/plugins
# Word by word.
# shellcheck disable=SC2086
exec java ${computed[0]} $opens $own -Dlog4j2.configurationFile=/opt/flink/conf/log4j2.properties -cp '/opt/flink/lib/*' \
  "$main" --configDir /opt/flink/conf ${computed[1]} "$@"
