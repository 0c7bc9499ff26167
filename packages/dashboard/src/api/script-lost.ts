// Detects that a page's script or style could not be fetched. This happens if the service is unavailable, or if a new
// version with other file names was deployed.

/**
 * Matches the error messages for a file that could not be fetched. For scripts, these are the messages of
 * Chromium, Firefox and Safari; for styles, the message of Vite.
 */
const said = /dynamically imported module|Importing a module script|preload CSS/

export const isScriptLost = (error: unknown): error is Error =>
  error instanceof Error && said.test(error.message)
