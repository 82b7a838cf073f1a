"""Special functions that ONNX lacks, in f64 or by the approximations of Abramowitz and Stegun, whose errors are below 1e-7.

The latter are for f32 and narrower types; those of f64 stay as they are, and are refused.
"""

from __future__ import annotations

import math

import torch

from hetero.importers.decompositions import decomposes, to_tensor

# Lanczos' series of the gamma function, g = 7.
_LANCZOS = (
    *(676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059),
    *(12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7),
)
# Bernoulli's numbers B2, B4, ...
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)


def _in_doubles(function):
    """Computes in f64, and returns the type of the elements."""

    def compute(x, *others):
        x = x if x.is_floating_point() else x.float()
        others = [other.double() if isinstance(other, torch.Tensor) else other for other in others]
        return function(x.double(), *others).to(x.dtype)

    return compute


def _polynomial(x, coefficients):
    """From the constant on."""
    made = torch.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        made = made * x + coefficient
    return made


# --- Gamma ---


def _log_gamma_of_positive(x):
    x = x - 1
    total = torch.full_like(x, 0.99999999999980993)
    for number, coefficient in enumerate(_LANCZOS, 1):
        total = total + coefficient / (x + number)
    t = x + 7.5
    return 0.5 * math.log(2 * math.pi) + (x + 0.5) * t.log() - t + total.log()


@decomposes("lgamma")
@_in_doubles
def _lgamma(x):
    is_mirrored = x < 0.5
    regular = _log_gamma_of_positive(torch.where(is_mirrored, 1 - x, x))
    # The sine of what is left of whole numbers, which is exact at poles.
    sine = ((x - x.floor()) * math.pi).sin().abs()
    mirrored = math.log(math.pi) - sine.log() - regular
    found = torch.where(is_mirrored, mirrored, regular)
    is_pole = (x <= 0) & (x == x.floor())
    return torch.where(is_pole | x.isinf(), math.inf, found)


@decomposes("digamma")
@_in_doubles
def _digamma(x):
    is_mirrored = x < 0
    y = torch.where(is_mirrored, 1 - x, x)
    moved = torch.zeros_like(y)
    for _ in range(10):
        moved = torch.where(y < 10, moved - 1 / y, moved)
        y = torch.where(y < 10, y + 1, y)
    square = 1 / (y * y)
    series = [-number / (2 * (i + 1)) for i, number in enumerate(_BERNOULLI)]
    regular = moved + y.log() - 0.5 / y + square * _polynomial(square, series)
    mirrored = regular - math.pi / ((x - x.floor()) * math.pi).tan()
    found = torch.where(is_mirrored, mirrored, regular)
    found = torch.where(is_mirrored & (x == x.floor()), math.nan, found)
    return torch.where(x == 0, -torch.copysign(torch.full_like(x, math.inf), x), found)


def _hurwitz(s, q):
    """The zeta function, by the sum of Euler and Maclaurin."""
    count = 10
    total = torch.zeros_like(q + s)
    for k in range(count):
        total = total + (q + k) ** -s
    end = q + count
    total = total + end ** (1 - s) / (s - 1) + 0.5 * end**-s
    factor, power = s, end ** (-s - 1)
    for i, number in enumerate(_BERNOULLI, 1):
        total = total + number / math.factorial(2 * i) * factor * power
        factor, power = factor * (s + 2 * i - 1) * (s + 2 * i), power / (end * end)
    return total


@decomposes("special_zeta")
@_in_doubles
def _zeta(s, q):
    found = _hurwitz(s, q)
    is_whole = q == q.floor()
    found = torch.where((q <= 0) & is_whole, math.inf, found)
    found = torch.where((q <= 0) & ~is_whole & (s != s.floor()), math.nan, found)
    return torch.where(s == 1, math.inf, torch.where(s < 1, math.nan, found))


@decomposes("polygamma")
def _polygamma(n, x):
    if n == 0:
        return torch.digamma(x)
    x = x if x.is_floating_point() else x.float()
    order = torch.full_like(x, n + 1, dtype=torch.float64)
    found = _zeta(order, x.double())
    return ((-1) ** (n + 1) * math.factorial(n) * found).to(x.dtype)


# --- Errors ---

# Giles, Approximating the erfinv function: near 0, and far from it.
_NEAR = (
    *(1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087),
    *(-4.39150654e-06, -3.5233877e-06, 3.43273939e-07, 2.81022636e-08),
)
_FAR = (
    *(2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773),
    *(-0.00367342844, 0.00134934322, 0.000100950558, -0.000200214257),
)


@decomposes("erfinv")
@_in_doubles
def _erfinv(x):
    w = -((1 - x) * (1 + x)).log()
    guess = x * torch.where(w < 5, _polynomial(w - 2.5, _NEAR), _polynomial(w.clamp(min=0).sqrt() - 3, _FAR))
    for _ in range(2):
        slope = 2 / math.sqrt(math.pi) * (-guess * guess).exp()
        guess = guess - (guess.erf() - x) / slope
    return torch.where(x.abs() == 1, x * math.inf, guess)


@decomposes("special_ndtri")
@_in_doubles
def _ndtri(x):
    return math.sqrt(2) * torch.erfinv(2 * x - 1)


@decomposes("special_erfcx")
@_in_doubles
def _erfcx(x):
    """exp(x * x) erfc(x), by a continued fraction where erfc is small."""
    large = x.clamp(min=2)
    fraction = large
    for k in range(60, 0, -1):
        fraction = large + k / 2 / fraction
    far = 1 / (math.sqrt(math.pi) * fraction)
    small = x.clamp(max=2)
    return torch.where(x > 2, far, (small * small).exp() * small.erfc())


@decomposes("special_log_ndtr")
@_in_doubles
def _log_ndtr(x):
    half = x / math.sqrt(2)
    far = (torch.special.erfcx(-half.clamp(max=0)) / 2).log() - half * half
    return torch.where(x < -1, far, (-0.5 * half.clamp(min=-1).erfc()).log1p())


# --- Chebyshev's polynomials ---


def _chebyshev(function):
    """Of x = cos(angle); n is cut to a whole number, and there is nothing below 0."""

    def compute(x, n):
        dtype = torch.result_type(x, n)
        dtype = dtype if dtype.is_floating_point else torch.float32
        x, n = torch.broadcast_tensors(to_tensor(x, torch.float64), to_tensor(n, torch.float64))
        n = n.trunc()
        return torch.where(n < 0, 0.0, function(x, n)).to(dtype)

    return compute


def _is_odd(n):
    return n - 2 * (n / 2).floor() == 1


def _chebyshev_t(x, n):
    size = x.abs()
    outside = (n * torch.where(size > 1, size, 1.0).acosh()).cosh()
    found = torch.where(size <= 1, (n * size.clamp(max=1).acos()).cos(), outside)
    return torch.where((x < 0) & _is_odd(n), -found, found)


def _chebyshev_u(x, n):
    size = x.abs()
    angle = size.clamp(max=1).acos()
    within = ((n + 1) * angle).sin() / torch.where(size < 1, angle.sin(), 1.0)
    far = torch.where(size > 1, size, 2.0).acosh()
    found = torch.where(size < 1, within, torch.where(size == 1, n + 1, ((n + 1) * far).sinh() / far.sinh()))
    return torch.where((x < 0) & _is_odd(n), -found, found)


def _chebyshev_v(x, n):
    return _chebyshev_u(x, n) - torch.where(n > 0, _chebyshev_u(x, n - 1), 0.0)


def _chebyshev_w(x, n):
    return _chebyshev_u(x, n) + torch.where(n > 0, _chebyshev_u(x, n - 1), 0.0)


def _add_chebyshev() -> None:
    kinds = {"t": _chebyshev_t, "u": _chebyshev_u, "v": _chebyshev_v, "w": _chebyshev_w}
    for kind, function in kinds.items():
        shifted = lambda x, n, function=function: function(2 * x - 1, n)
        for overload in ("", ".x_scalar", ".n_scalar"):
            decomposes(f"special_chebyshev_polynomial_{kind}{overload}")(_chebyshev(function))
            decomposes(f"special_shifted_chebyshev_polynomial_{kind}{overload}")(_chebyshev(shifted))


_add_chebyshev()


# --- Bessel's functions: Abramowitz and Stegun, 9.4 and 9.8 ---

_I0 = (1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.0360768, 0.0045813)
_I0_FAR = (0.39894228, 0.01328592, 0.00225319, -0.00157565, 0.00916281, -0.02057706, 0.02635537, -0.01647633, 0.00392377)
_I1 = (0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411)
_I1_FAR = (0.39894228, -0.03988024, -0.00362018, 0.00163801, -0.01031555, 0.02282967, -0.02895312, 0.01787654, -0.00420059)
_K0 = (-0.57721566, 0.42278420, 0.23069756, 0.03488590, 0.00262698, 0.00010750, 0.00000740)
_K0_FAR = (1.25331414, -0.07832358, 0.02189568, -0.01062446, 0.00587872, -0.00251540, 0.00053208)
_K1 = (1.0, 0.15443144, -0.67278579, -0.18156897, -0.01919402, -0.00110404, -0.00004686)
_K1_FAR = (1.25331414, 0.23498619, -0.03655620, 0.01504268, -0.00780353, 0.00325614, -0.00068245)
_J0 = (1.0, -2.2499997, 1.2656208, -0.3163866, 0.0444479, -0.0039444, 0.0002100)
_J1 = (0.5, -0.56249985, 0.21093573, -0.03954289, 0.00443319, -0.00031761, 0.00001109)
_Y0 = (0.36746691, 0.60559366, -0.74350384, 0.25300117, -0.04261214, 0.00427916, -0.00024846)
_Y1 = (-0.6366198, 0.2212091, 2.1682709, -1.3164827, 0.3123951, -0.0400976, 0.0027873)
_SIZE0 = (0.79788456, -0.00000077, -0.00552740, -0.00009512, 0.00137237, -0.00072805, 0.00014476)
_PHASE0 = (-0.78539816, -0.04166397, -0.00003954, 0.00262573, -0.00054125, -0.00029333, 0.00013558)
_SIZE1 = (0.79788456, 0.00000156, 0.01659667, 0.00017105, -0.00249511, 0.00113653, -0.00020033)
_PHASE1 = (-2.35619449, 0.12499612, 0.00005650, -0.00637879, 0.00074348, 0.00079824, -0.00029166)


def _approximates(*names: str):
    """Registers an approximation, computed in f64 for types of at most 32 bits."""

    def add(function):
        def compute(x):
            if x.dtype == torch.float64:
                return NotImplemented
            return _in_doubles(function)(x)

        decomposes(*names)(compute)
        return function

    return add


def _scaled_i(x, near, far, power):
    """exp(-|x|) times the modified function of the first kind."""
    size = x.abs()
    small, large = size.clamp(max=3.75), size.clamp(min=3.75)
    below = _polynomial((small / 3.75) ** 2, near) * (x.clamp(-3.75, 3.75) if power else 1) * (-small).exp()
    above = _polynomial(3.75 / large, far) / large.sqrt()
    return torch.where(size < 3.75, below, torch.where(x < 0, -above, above) if power else above)


@_approximates("special_i0e")
def _i0e(x):
    return _scaled_i(x, _I0, _I0_FAR, 0)


@_approximates("special_i1e")
def _i1e(x):
    return _scaled_i(x, _I1, _I1_FAR, 1)


@_approximates("i0", "special_i0", "special_modified_bessel_i0")
def _i0(x):
    return _i0e(x) * x.abs().exp()


@_approximates("special_i1", "special_modified_bessel_i1")
def _i1(x):
    return _i1e(x) * x.abs().exp()


def _scaled_k(x, near, far):
    """exp(x) times the modified function of the second kind; `near` has it for x of at most 2."""
    large = x.clamp(min=2)
    above = _polynomial(2 / large, far) / large.sqrt()
    found = torch.where(x <= 2, near * x.exp(), above)
    return torch.where(x == 0, math.inf, torch.where(x < 0, math.nan, found))


@_approximates("special_scaled_modified_bessel_k0")
def _scaled_k0(x):
    half = x.clamp(1e-300, 2) / 2
    return _scaled_k(x, _polynomial(half * half, _K0) - half.log() * _i0(2 * half), _K0_FAR)


@_approximates("special_scaled_modified_bessel_k1")
def _scaled_k1(x):
    half = x.clamp(1e-300, 2) / 2
    return _scaled_k(x, half.log() * _i1(2 * half) + _polynomial(half * half, _K1) / (2 * half), _K1_FAR)


@_approximates("special_modified_bessel_k0")
def _k0(x):
    return _scaled_k0(x) * (-x).exp()


@_approximates("special_modified_bessel_k1")
def _k1(x):
    return _scaled_k1(x) * (-x).exp()


def _wave(x, size, phase):
    """The size and the phase of a function far from 0."""
    large = x.abs().clamp(min=3)
    return _polynomial(3 / large, size) / large.sqrt(), large + _polynomial(3 / large, phase)


@_approximates("special_bessel_j0")
def _j0(x):
    size, phase = _wave(x, _SIZE0, _PHASE0)
    return torch.where(x.abs() < 3, _polynomial((x.clamp(-3, 3) / 3) ** 2, _J0), size * phase.cos())


@_approximates("special_bessel_j1")
def _j1(x):
    size, phase = _wave(x, _SIZE1, _PHASE1)
    small = x.clamp(-3, 3)
    return torch.where(x.abs() < 3, small * _polynomial((small / 3) ** 2, _J1), size * phase.cos() * x.sign())


def _second_kind(x, near, size, phase):
    found = torch.where(x < 3, near, size * phase.sin())
    return torch.where(x == 0, -math.inf, torch.where(x < 0, math.nan, found))


@_approximates("special_bessel_y0")
def _y0(x):
    small = x.clamp(1e-300, 3)
    near = 2 / math.pi * (small / 2).log() * _j0(small) + _polynomial((small / 3) ** 2, _Y0)
    return _second_kind(x, near, *_wave(x, _SIZE0, _PHASE0))


@_approximates("special_bessel_y1")
def _y1(x):
    small = x.clamp(1e-300, 3)
    near = 2 / math.pi * (small / 2).log() * _j1(small) + _polynomial((small / 3) ** 2, _Y1) / small
    return _second_kind(x, near, *_wave(x, _SIZE1, _PHASE1))


@decomposes("special_spherical_bessel_j0")
def _spherical_j0(x):
    x = x if x.is_floating_point() else x.float()
    regular = torch.where(x == 0, 1.0, x)
    found = torch.where(x.abs() < 0.5, 1 - x * x / 6 + x**4 / 120 - x**6 / 5040, regular.sin() / regular)
    return torch.where(x.isinf(), 0.0, found)
