// Detects that a script or a style of a page could not be fetched. Either the service is unavailable, or a new
// version was deployed whose files have other names.

/**
 * Matches the error messages about a file that could not be fetched. For scripts, these are the messages of
 * Chromium, Firefox and Safari. For styles, it is the message of Vite.
 */
const said = /dynamically imported module|Importing a module script|preload CSS/

export const isScriptLost = (error: unknown): error is Error =>
  error instanceof Error && said.test(error.message)
