/** Variables that a program needs to run: paths of programs and libraries, languages, time zone. */
const NEEDED = /^(?:PATH|TZ|LANG|LANGUAGE|LC_[A-Z]+|LD_LIBRARY_PATH|DYLD_[A-Z_]+|TMPDIR)$/;

/**
 * The environment of PostgreSQL. Ours may contain keys and passwords, which a process that runs for weeks would expose to
 * everyone who may read its /proc entry.
 */
export function minimalEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && NEEDED.test(name) ? [[name, value]] : [],
    ),
  );
}
