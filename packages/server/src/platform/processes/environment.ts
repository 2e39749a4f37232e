export type Environment = Readonly<Record<string, string>>;

/** Variables that Node needs to run: paths, languages, time zone, its own settings. */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|TZ|LANG|LANGUAGE|LC_[A-Z]+|LD_LIBRARY_PATH|DYLD_[A-Z_]+|TMPDIR|SSL_CERT_(?:FILE|DIR)|UV_THREADPOOL_SIZE|NODE_(?:ENV|OPTIONS|EXTRA_CA_CERTS|ICU_DATA|PATH|V8_COVERAGE))$/;

/** Variables that the libraries for PostgreSQL and S3 read by themselves, among them passwords. */
const OF_LIBRARIES = /^(?:PG|AWS_)/;

/**
 * The environment with which a process is started. Ours may contain keys and passwords, which `/proc` shows to every process of
 * the same user, for as long as the process runs.
 */
export function minimalEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  return matching(own, NEEDED);
}

/** To be given to a process after its start, for its libraries. */
export function variablesOfLibraries(own: NodeJS.ProcessEnv): Environment {
  return matching(own, OF_LIBRARIES);
}

function matching(own: NodeJS.ProcessEnv, names: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value]] : [],
    ),
  );
}
