export type Environment = Readonly<Record<string, string>>;

/** Variables that Node needs to run: paths, languages, time zone, its own settings. */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|TZ|LANG|LANGUAGE|LC_[A-Z]+|LD_LIBRARY_PATH|DYLD_[A-Z_]+|TMPDIR|SSL_CERT_(?:FILE|DIR)|UV_THREADPOOL_SIZE|NODE_(?:ENV|OPTIONS|EXTRA_CA_CERTS|ICU_DATA|PATH|V8_COVERAGE))$/;

/** Variables that the libraries for PostgreSQL, S3 and traces read by themselves, among them passwords. */
const OF_LIBRARIES = /^(?:PG|AWS_|OTEL_)/;

/**
 * Forks with a minimal environment, since the cluster passes on the whole one of this process, which it reads meanwhile. Ours may
 * contain keys and passwords, which `/proc` shows to every process of the same user, for as long as the new one runs.
 */
export function withMinimalEnvironment<T>(fork: () => T): T {
  const own = process.env;
  process.env = matching(NEEDED);
  try {
    return fork();
  } finally {
    process.env = own;
  }
}

/** To be given to a process after its start, for its libraries. */
export function variablesOfLibraries(): Environment {
  return matching(OF_LIBRARIES);
}

/** `/proc` does not show what is set here. */
export function setVariables(variables: Environment): void {
  Object.assign(process.env, variables);
}

function matching(names: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value]] : [],
    ),
  );
}
