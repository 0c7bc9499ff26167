// The scripts and styles of a page that could not be fetched: the service is away, or another version of it was installed
// since, which has them by other names.

/** As Chromium, Firefox and Safari say it, and Vite of styles. */
const said = /dynamically imported module|Importing a module script|preload CSS/

export const isScriptLost = (error: unknown): error is Error =>
  error instanceof Error && said.test(error.message)
