/** The environment variables that contain a connection URL. */
export type UrlVariable = 'DATABASE_URL' | 'GAPURA_DIRECT_DATABASE_URL' | 'GAPURA_MIGRATE_DATABASE_URL'

const variables = new WeakMap<object, UrlVariable>()

/**
 * Returns the result of `work`, which uses the URL in `variable`. If `work` fails, the variable is stored for its error,
 * so that the error message can name it. The innermost call decides.
 */
export async function namingUrl<Result>(variable: UrlVariable, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && !variables.has(error)) variables.set(error, variable)
    throw error
  }
}

/** Returns the variable whose URL was used when the error occurred. */
export const urlVariableOf = (error: unknown): UrlVariable => variables.get(error as object) ?? 'DATABASE_URL'

/** Returns the variable that contains the URL for direct connections. */
export const directVariableOf = (config: { directDatabaseUrl: string | undefined }): UrlVariable =>
  config.directDatabaseUrl === undefined ? 'DATABASE_URL' : 'GAPURA_DIRECT_DATABASE_URL'
