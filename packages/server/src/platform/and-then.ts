/** Continues at once with a value, or later with that of a promise: what is cached is answered in the same turn of the event loop. */
export function andThen<T, U>(value: T | Promise<T>, then: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(then) : then(value);
}
