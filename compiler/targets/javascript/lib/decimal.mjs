// Exact decimals: a BigInt coefficient times a power of ten, and the arithmetic of decimal128 (34
// digits, half to even), which is the language's. Whole numbers, durations, sizes and times are
// BigInt, and mix with decimals wherever both are compared or computed with.

const DIGITS = 34;
const LEAST_EXPONENT = -6176; // of the last digit
const MOST_EXPONENT = 6144; // of the first digit

/**
 * What a computation throws that has no result: an unknown where a value is due, a division by
 * zero, a number beyond every bound. It is caught where the three-valued form says why, so it is no
 * Error, which would cost a stack trace.
 */
export const UNDECIDED = Object.freeze({ undecided: true });

/** @typedef {bigint | Decimal} Exact */

/** A decimal. It is as it was written, `1.50` as 150 and -2; equality is `compareNumbers`. */
export class Decimal {
  /**
   * @param {bigint} coefficient
   * @param {number} exponent
   * @param {boolean} minusZero was it written as `-0.0`?
   */
  constructor(coefficient, exponent, minusZero = false) {
    this.coefficient = coefficient;
    this.exponent = exponent;
    this.minusZero = minusZero;
  }

  /** The exponent of the first digit. */
  get adjusted() {
    return this.exponent + digitCount(this.coefficient) - 1;
  }

  /** The decimal as it was written, or with an exponent where that is shorter. */
  toString() {
    const sign = this.coefficient < 0n || this.minusZero ? "-" : "";
    const digits = magnitude(this.coefficient).toString();
    const left = this.exponent + digits.length;
    const point = this.exponent <= 0 && left > -6 ? left : 1;
    const power = left === point ? "" : `E${left > point ? "+" : ""}${left - point}`;
    return sign + withPoint(digits, point) + power;
  }
}

/**
 * @param {string} digits
 * @param {number} point where the point stands, from the left
 */
function withPoint(digits, point) {
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + "0".repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** @param {bigint} value */
export function magnitude(value) {
  return value < 0n ? -value : value;
}

/** @param {bigint} value */
export function digitCount(value) {
  return magnitude(value).toString().length;
}

/** @param {number} exponent */
function power(exponent) {
  return 10n ** BigInt(exponent);
}

/**
 * A decimal of its text, as JSON or the language writes it, or of a whole number.
 * @param {string | Exact} value
 */
export function decimal(value) {
  if (value instanceof Decimal) return value;
  if (typeof value === "bigint") return new Decimal(value, 0);
  const [mantissa, exponent = "0"] = value.split(/[eE]/);
  const [whole, fraction = ""] = mantissa.split(".");
  const coefficient = BigInt(whole.replace("-", "") + fraction);
  const negative = whole.startsWith("-");
  return new Decimal(
    negative ? -coefficient : coefficient,
    Number(exponent) - fraction.length,
    negative && coefficient === 0n,
  );
}

/**
 * The same number without trailing zeros.
 * @param {Decimal} number
 */
export function trimmed(number) {
  if (number.coefficient === 0n) return new Decimal(0n, 0);
  const text = number.coefficient.toString();
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  if (end === text.length) return number;
  return new Decimal(BigInt(text.slice(0, end)), number.exponent + text.length - end);
}

/**
 * The number in digits without an exponent or trailing zeros.
 * @param {Exact} value
 */
export function plainDigits(value) {
  if (typeof value === "bigint") return value.toString();
  const number = trimmed(value);
  const digits = magnitude(number.coefficient).toString();
  const sign = number.coefficient < 0n ? "-" : "";
  return sign + withPoint(digits, digits.length + number.exponent);
}

/** @param {Exact} value */
export function isZero(value) {
  return (typeof value === "bigint" ? value : value.coefficient) === 0n;
}

/**
 * Below zero, zero or above, as *left* is less than, equal to or greater than *right*.
 * @param {Exact} left
 * @param {Exact} right
 */
export function compareNumbers(left, right) {
  const [a, b] = aligned(decimal(left), decimal(right));
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Both coefficients over the smaller exponent.
 * @param {Decimal} left
 * @param {Decimal} right
 */
function aligned(left, right) {
  const gap = left.exponent - right.exponent;
  if (gap === 0) return [left.coefficient, right.coefficient];
  return gap > 0
    ? [left.coefficient * power(gap), right.coefficient]
    : [left.coefficient, right.coefficient * power(-gap)];
}

/**
 * The quotient of two whole numbers, half to even. Throws UNDECIDED for a zero divisor.
 * @param {bigint} numerator
 * @param {bigint} denominator
 */
export function halfEven(numerator, denominator) {
  if (denominator === 0n) throw UNDECIDED;
  const negative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [magnitude(numerator), magnitude(denominator)];
  let quotient = top / bottom;
  const twice = 2n * (top % bottom);
  if (twice > bottom || (twice === bottom && quotient % 2n === 1n)) quotient += 1n;
  return negative ? -quotient : quotient;
}

/**
 * A whole number over a power of ten, rounded once to what the language can hold.
 * @param {bigint} coefficient
 * @param {number} exponent
 */
function rounded(coefficient, exponent) {
  if (coefficient === 0n) return new Decimal(0n, 0);
  const excess = Math.max(digitCount(coefficient) - DIGITS, LEAST_EXPONENT - exponent);
  const number =
    excess > 0
      ? new Decimal(halfEven(coefficient, power(excess)), exponent + excess)
      : new Decimal(coefficient, exponent);
  if (number.coefficient === 0n) return new Decimal(0n, 0);
  if (number.adjusted > MOST_EXPONENT) throw UNDECIDED;
  return number;
}

/**
 * @param {Exact} left
 * @param {Exact} right
 */
export function add(left, right) {
  return plus(exactSum([left, right]));
}

/**
 * @param {Exact} left
 * @param {Exact} right
 */
export function subtract(left, right) {
  const other = decimal(right);
  return add(left, new Decimal(-other.coefficient, other.exponent));
}

/**
 * @param {Exact} left
 * @param {Exact} right
 */
export function multiply(left, right) {
  const [a, b] = [decimal(left), decimal(right)];
  return rounded(a.coefficient * b.coefficient, a.exponent + b.exponent);
}

/**
 * @param {Exact} left
 * @param {Exact} right
 */
export function divide(left, right) {
  const [a, b] = [decimal(left), decimal(right)];
  if (b.coefficient === 0n) throw UNDECIDED;
  const missing = DIGITS + 1 + digitCount(b.coefficient) - digitCount(a.coefficient);
  const shift = Math.max(missing, 0);
  const numerator = a.coefficient * power(shift);
  const quotient = numerator / b.coefficient;
  const exponent = a.exponent - b.exponent - shift;
  if (numerator % b.coefficient === 0n) return rounded(quotient, exponent);
  // One digit more, which is never zero, keeps what is left over from looking like a half.
  const sign = a.coefficient < 0n !== b.coefficient < 0n ? -1n : 1n;
  return rounded(quotient * 10n + sign, exponent - 1);
}

/** @param {Exact} value */
export function plus(value) {
  const number = decimal(value);
  return rounded(number.coefficient, number.exponent);
}

/** @param {Exact} value */
export function minus(value) {
  const number = plus(value);
  return new Decimal(-number.coefficient, number.exponent);
}

/** @param {Exact} value */
export function absolute(value) {
  const number = plus(value);
  return new Decimal(magnitude(number.coefficient), number.exponent);
}

/**
 * The sum, not rounded: a set has no order that could matter.
 * @param {Iterable<Exact>} values
 */
export function exactSum(values) {
  let [coefficient, exponent] = [0n, 0];
  for (const value of values) {
    const number = decimal(value);
    if (number.coefficient === 0n) continue;
    const [a, b] = aligned(new Decimal(coefficient, exponent), number);
    [coefficient, exponent] = [a + b, Math.min(exponent, number.exponent)];
  }
  return new Decimal(coefficient, exponent);
}

/**
 * The number a power of ten away.
 * @param {Decimal} number
 * @param {number} shift
 */
export function shifted(number, shift) {
  return rounded(number.coefficient, number.exponent + shift);
}

/**
 * A whole number times a decimal, half to even: of a duration or a size.
 * @param {bigint} quantity
 * @param {Exact} factor
 */
export function scale(quantity, factor) {
  const { coefficient, exponent } = decimal(factor);
  const product = quantity * coefficient;
  return exponent >= 0 ? product * power(exponent) : halfEven(product, power(-exponent));
}

/**
 * A whole number by a decimal, half to even.
 * @param {bigint} quantity
 * @param {Exact} divisor
 */
export function unscale(quantity, divisor) {
  const { coefficient, exponent } = decimal(divisor);
  return exponent >= 0
    ? halfEven(quantity, coefficient * power(exponent))
    : halfEven(quantity * power(-exponent), coefficient);
}

/**
 * The whole number that a decimal is, or the next above it.
 * @param {Decimal} number
 */
export function ceiling({ coefficient, exponent }) {
  if (exponent >= 0) return coefficient * power(exponent);
  const unit = power(-exponent);
  const quotient = coefficient / unit;
  return coefficient > 0n && coefficient % unit !== 0n ? quotient + 1n : quotient;
}

/**
 * The whole number that a decimal is; null where it has a fraction.
 * @param {Decimal} number
 */
export function wholeNumber(number) {
  const { coefficient, exponent } = trimmed(number);
  return exponent >= 0 ? coefficient * power(exponent) : null;
}
