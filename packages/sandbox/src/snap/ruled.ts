import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, faultOf, type Rule } from '../rules.ts'
import { refusal, type Service, type SnapAnswer } from './answer.ts'
import type { SnapCall } from './profile.ts'

/** Returns the SNAP standard's error for the first body rule that the call violates. */
export function ruleRefusal(
  rules: readonly Rule[],
  service: Service,
  { headers, body }: SnapCall,
): SnapAnswer | undefined {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return refusal(service, 'badRequest')
  const fault = faultOf(rules, { headers, body })
  if (!fault) return undefined
  const isHeader = rules.some(rule => rule.in === 'header' && rule.field === fault.field)
  return told(service, fault, isHeader ? fault.field : `{${fault.field}}`)
}

/**
 * Returns the error for the first header rule that the call violates. Header rules are applied before the body is
 * read.
 */
export function headerRefusal(
  rules: readonly Rule[],
  service: Service,
  headers: IncomingHttpHeaders,
): SnapAnswer | undefined {
  const fault = faultOf(rules, { headers, body: undefined })
  return fault && told(service, fault, fault.field)
}

function told(service: Service, { reason }: Fault, field: string): SnapAnswer {
  return refusal(service, reason === 'missing' ? 'mandatoryField' : 'fieldFormat', field)
}
