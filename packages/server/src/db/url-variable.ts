/** The environment variables that contain a connection URL. */
export type UrlVariable = 'DATABASE_URL' | 'GAPURA_DIRECT_DATABASE_URL' | 'GAPURA_MIGRATE_DATABASE_URL'

const variables = new WeakMap<object, UrlVariable>()

/**
 * Returns the result of `work`. If `work` fails, the function stores which environment variable contained the database
 * URL, so that the error message can name this variable. Nested calls keep the innermost variable.
 */
export async function namingUrl<Result>(variable: UrlVariable, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && !variables.has(error)) variables.set(error, variable)
    throw error
  }
}

/** Returns the name of the environment variable whose database URL was used when the error occurred. */
export const urlVariableOf = (error: unknown): UrlVariable => variables.get(error as object) ?? 'DATABASE_URL'

/** Returns the name of the environment variable that contains the URL for direct connections to the database. */
export const directVariableOf = (config: { directDatabaseUrl: string | undefined }): UrlVariable =>
  config.directDatabaseUrl === undefined ? 'DATABASE_URL' : 'GAPURA_DIRECT_DATABASE_URL'
