// Reads Prism's report on how a request and its response violate the API document.

export type Violation = { location: string[]; severity: string; message: string }

/**
 * Returns the violations that fail a test: all violations in a response, and the violations in a request that
 * succeeded. A deliberately invalid request gets an error response, so its violations are expected.
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
 * Matches violations in a response of JSON lines. OpenAPI 3.1 can describe only one line, but Prism applies this schema
 * to the whole body. These violations are ignored, because contract.ts checks each line.
 */
const isOfManyLines = ({ location: [of, part] }: Violation, headers: Headers): boolean =>
  of === 'response' && part === 'body' && headers.get('content-type') === 'application/x-ndjson'

/**
 * Parses Prism's report in a header. If a report is too long for a header, Prism truncates the report and
 * puts a note in front of it.
 */
function parsed(header: string): Violation[] {
  const whole = header.startsWith('[')
  return whole ? JSON.parse(header) : [{ location: ['request'], severity: 'Error', message: header }]
}
