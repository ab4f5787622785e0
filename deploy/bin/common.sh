# Sourced by the scripts beside it: finds, or builds, what they run.
#
# Afterwards $home is the distribution, $java the JVM, and $flink_class_path Flink's jars, with Hadoop's where
# HADOOP_CLASSPATH and HADOOP_CONF_DIR name them. $native is an option of the JVM, or empty. FLINK_PLUGINS_DIR is set
# where there are plugins.
# MILLRACE_ENGINES is the folder with a folder of jars for each engine, which Millrace's classes look into themselves.
#
# modules               a further module that the script runs; none unless set
# MILLRACE_BUILD=never  takes a checkout as it is built, as its own tests need it

# Without a locale, as in many containers, or with C, Java writes every letter that isn't ASCII as a question mark, and
# finds no file whose name has one. Where a system lacks this locale nothing changes, and bash would warn of it.
case "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}" in
  '' | C | POSIX) { [[ -n "${LC_ALL:-}" ]] && export LC_ALL=C.UTF-8 || export LC_CTYPE=C.UTF-8; } 2>/dev/null ;;
esac

fail() {
  echo "$1" >&2
  exit 1
}

java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
command -v "$java" >/dev/null || fail "There is no $java: install a JDK 17 or newer, or set JAVA_HOME"

# A JDK has it in a file, which is faster to read than it is to start a JVM.
read_java_version() {
  sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$(dirname "$(readlink -f "$(command -v "$java")")")/../release" 2>/dev/null ||
    "$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p'
}
java_version="$(read_java_version || true)"
java_major="${java_version%%[!0-9]*}"
[[ -z "$java_major" || "$java_major" -ge 17 ]] ||
  fail "Millrace needs a JDK 17 or newer, and $java is of version $java_version: install one, or set JAVA_HOME"

# The distribution that the build makes.
built_home() {
  local version
  version="$(<"$target/filled-in/VERSION")" && echo "$target/millrace-$version"
}

# What a build reads; tests are left out, since the scripts don't run them.
is_stale() {
  # Maven by itself leaves no stamp. A file of the distribution has the time that the root pom sets; this folder has that
  # of the build.
  local since="$stamp"
  [[ -f "$since" ]] || since="$(built_home)/job"
  [[ -n "$(find "$checkout/pom.xml" "$checkout"/*/pom.xml "$checkout"/*/*/pom.xml "$checkout"/*/*/*/pom.xml \
    "$checkout"/*/src/main "$checkout"/*/*/src/main "$checkout"/*/*/*/src/main "$checkout/deploy/dist/src" "$checkout/deploy/conf" \
    -type f -newer "$since" -print -quit 2>/dev/null)" ]]
}

is_incomplete() {
  [[ -f "$target/filled-in/VERSION" && -f "$(built_home)/job/millrace-job.jar" ]] || return 0
  [[ -z "${modules:-}" || -d "$checkout/$modules/target/classes" ]] || return 0
  return 1
}

build() {
  command -v mvn >/dev/null || fail "Millrace isn't built yet, and there is no mvn to build it: install Maven 3.8 or newer"
  echo "Building Millrace (the first time downloads libraries, which takes minutes) …" >&2
  mkdir -p "$target"
  # Made before the build: what is edited during it is built the next time.
  touch "$stamp.begun"
  # Its output goes to standard error, so that a command's own can be piped. The libraries of PyTorch are for those who
  # train with them: bin/engine gets them.
  mvn -B -ntp -q -f "$checkout/pom.xml" -P '!torch' -pl deploy/dist${modules:+,$modules} -am -DskipTests \
    package >&2 ||
    fail "The build failed; its messages are above"
  mv "$stamp.begun" "$stamp"
}

home="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
native=
if [[ -f "$home/dist/pom.xml" ]]; then
  # A checkout: runs the distribution that its build makes.
  checkout="$(cd "$home/.." && pwd -P)"
  target="$home/dist/target"
  stamp="$target/built"
  if [[ "${MILLRACE_BUILD:-auto}" != never ]] && { is_incomplete || is_stale; }; then
    build
  fi
  home="$(built_home)"
  # Where JavaCPP unpacks native code, 130 MB: its own choice is ~/.javacpp. The tests unpack it there, too.
  native="-Dorg.bytedeco.javacpp.cachedir=$checkout/target/javacpp"
fi

# Images on Flink's own have it in FLINK_HOME alone.
flink="$home/opt/flink"
[[ -d "$flink" ]] || flink="${FLINK_HOME:+$FLINK_HOME/lib}"
[[ -d "$flink" ]] ||
  fail "There is no Flink in $home/opt/flink: unpack the distribution anew, or set FLINK_HOME to a Flink installation"
flink_class_path="$flink/*${HADOOP_CLASSPATH:+:$HADOOP_CLASSPATH}${HADOOP_CONF_DIR:+:$HADOOP_CONF_DIR}"

# Where Flink, and commands that read savepoints, find file systems such as S3.
if [[ -z "${FLINK_PLUGINS_DIR:-}" ]]; then
  if [[ -d "${FLINK_HOME:+$FLINK_HOME/plugins}" ]]; then
    export FLINK_PLUGINS_DIR="$FLINK_HOME/plugins"
  elif [[ -d "$home/plugins" ]]; then
    export FLINK_PLUGINS_DIR="$home/plugins"
  fi
fi

# Fastest where replicas are as many as processors.
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"

export MILLRACE_ENGINES="${MILLRACE_ENGINES:-$home/engines}"
