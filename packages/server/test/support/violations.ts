// What Prism says of a request and its answer.

export type Violation = { location: string[]; severity: string; message: string }

/**
 * The violations that a journey fails for: all of the answer, and those of a request that was nevertheless served. A
 * request that is bad on purpose gets its refusal, and violates the document rightly.
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
 * OpenAPI 3.1 has no word for a body of many JSON lines. The document gives the schema of a line, which Prism takes for
 * that of the whole; contract.ts holds each line against it.
 */
const isOfManyLines = ({ location: [of, part] }: Violation, headers: Headers): boolean =>
  of === 'response' && part === 'body' && headers.get('content-type') === 'application/x-ndjson'

/** Prism cuts what would be too long for a header, and says so before it. */
function parsed(header: string): Violation[] {
  const whole = header.startsWith('[')
  return whole ? JSON.parse(header) : [{ location: ['request'], severity: 'Error', message: header }]
}
