#!/usr/bin/env python3
"""A compiler that does what the name of the function says."""

import os
import re
import signal
import sys
import time

name = re.search(r"@(\w+)", sys.stdin.read()).group(1)


def error(text):
    print(f"<stdin>:1:1: error: {text}", file=sys.stderr, flush=True)


if sys.argv[1] == "--hetero-apply-schedule":
    if name == "clean_schedule":
        error("match failed")
    sys.exit(0)
if name == "right_after_a_warning":
    print("<stdin>:1:1: warning: errors are not far", file=sys.stderr)
if name == "clean":
    error("expected 1, got 2; use 1")
if name == "clean_schedule":
    error("match failed")
if name == "crash_with_an_error":
    error("expected 1, got 2; use 1")
if name.startswith("crash") and "sanitizer" not in name:
    os.kill(os.getpid(), signal.SIGSEGV)
if name == "crash_of_a_sanitizer":
    print("==1==ERROR: AddressSanitizer: heap-buffer-overflow on address", file=sys.stderr)
if name == "hang":
    time.sleep(60)
if name == "silent_success":
    error("expected 1, got 2; use 1")
    sys.exit(0)
if name == "internal_dominance":
    error("'memref.cast' op operand type and result type are cast incompatible")
    error("operand #0 does not dominate this use")
if name == "internal_contract":
    error("'arith.addf' op breaks the contract of phase 'placed': expected a device; run --hetero-place")
if name == "internal_after_a_clean_one":
    error("expected 1, got 2; use 1")
    error("'func.func' op breaks the contract of phase 'bufferized': expected memrefs only, got 'tensor<4xf32>'; run --hetero-bufferize")
sys.exit(0 if name.startswith(("right", "again")) else 1)
