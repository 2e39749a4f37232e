/** Variables that a program needs to be found and to run: where programs and libraries lie, languages, time zone. */
const NEEDED = /^(?:PATH|TZ|LANG|LANGUAGE|LC_[A-Z]+|LD_LIBRARY_PATH|DYLD_[A-Z_]+|TMPDIR)$/;

/**
 * What PostgreSQL is told of our environment. Keys and passwords stand there too, and what runs beside us for weeks, and
 * shows its environment to whoever may read /proc, needs none of them.
 */
export function minimalEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && NEEDED.test(name) ? [[name, value]] : [],
    ),
  );
}
