/** Continues at once with a value, or later with that of a promise: with synchronous primitives nothing is awaited. */
export function andThen<T, U>(value: T | Promise<T>, then: (value: T) => U | Promise<U>): U | Promise<U> {
  return isPromise(value) ? value.then(then) : then(value);
}

/** Also of another realm, or of a library. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
