// Detects that a page's script or style could not be fetched. Either the service is unavailable, or a new version
// with other file names was deployed.

/**
 * Matches the error messages for a file that could not be fetched: those of Chromium, Firefox and Safari for
 * scripts, and that of Vite for styles.
 */
const said = /dynamically imported module|Importing a module script|preload CSS/

export const isScriptLost = (error: unknown): error is Error =>
  error instanceof Error && said.test(error.message)
