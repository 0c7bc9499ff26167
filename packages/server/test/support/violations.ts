// Reads Prism's report of how a request and its response violate the API document.

export type Violation = { location: string[]; severity: string; message: string }

/**
 * Returns the violations of the API document that fail a test. Violations in the response always count. Violations in
 * the request count only if the request succeeded, because a failed request was made invalid on purpose.
 */
export function faultsOf(status: number, headers: Headers): string[] {
  const header = headers.get('sl-violations')
  if (header === null) return []
  const served = status >= 200 && status < 300
  return parsed(header)
    .filter(({ location: [of] }) => of === 'response' || served)
    .filter(violation => !isOfManyLines(violation, headers))
    .map(({ location, message }) => `${location.join('.')}: ${message}`)
}

/**
 * Returns whether the violation is about the body of a JSON lines response. Prism compares the whole body with the
 * schema for one line, because OpenAPI 3.1 cannot describe several lines. contract.ts checks each line instead.
 */
const isOfManyLines = ({ location: [of, part] }: Violation, headers: Headers): boolean =>
  of === 'response' && part === 'body' && headers.get('content-type') === 'application/x-ndjson'

/**
 * Parses the report of Prism, the contract proxy, from a response header. If a report is too long, Prism truncates it
 * and adds a note at its start. A truncated report is returned as a single violation.
 */
function parsed(header: string): Violation[] {
  const whole = header.startsWith('[')
  return whole ? JSON.parse(header) : [{ location: ['request'], severity: 'Error', message: header }]
}
