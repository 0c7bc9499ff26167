// Reads Prism's report on a request and its response.

export type Violation = { location: string[]; severity: string; message: string }

/**
 * The violations that fail a journey: all of the response, and those of a request that succeeded. A request that is
 * deliberately invalid gets an error response, and its violations are expected.
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
 * OpenAPI 3.1 cannot describe a body of JSON lines. The document has the schema of one line, which Prism applies to
 * the whole body; contract.ts checks each line.
 */
const isOfManyLines = ({ location: [of, part] }: Violation, headers: Headers): boolean =>
  of === 'response' && part === 'body' && headers.get('content-type') === 'application/x-ndjson'

/** Prism truncates reports that are too long for a header and starts them with a note instead. */
function parsed(header: string): Violation[] {
  const whole = header.startsWith('[')
  return whole ? JSON.parse(header) : [{ location: ['request'], severity: 'Error', message: header }]
}
