import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import { timesOut } from './chaos.ts'
import type { Sandbox } from './provider.ts'

// A special customer name, such as SANDBOX TIMEOUT, makes the simulated provider fail on purpose. Because the name is
// part of the create request, tests can select the failure without a separate interface.

// Failures in which the provider creates nothing and returns an error in the format of its own API.
type Refusal = 'reject' | 'inactive' | 'rate_limit' | 'outage'
// Failures after which the order exists, but the response is delayed, lost or unreadable. They are the same for every
// provider.
type Mishap = 'slow' | 'timeout' | 'not_json' | 'html'
export type Steering = Refusal | Mishap

const names: Record<string, Steering> = {
  'SANDBOX REJECT': 'reject',
  'SANDBOX INACTIVE': 'inactive',
  'SANDBOX RATE LIMIT': 'rate_limit',
  'SANDBOX OUTAGE': 'outage',
  'SANDBOX SLOW': 'slow',
  'SANDBOX TIMEOUT': 'timeout',
  'SANDBOX NOT JSON': 'not_json',
  'SANDBOX HTML': 'html',
}

const SLOW_ANSWER_MS = 2000

// The response nginx sends when its upstream server drops the connection.
const badGateway = `<html>\r
<head><title>502 Bad Gateway</title></head>\r
<body>\r
<center><h1>502 Bad Gateway</h1></center>\r
<hr><center>nginx</center>\r
</body>\r
</html>\r
`

/**
 * Returns the failure to simulate for a create request. A special customer name selects a failure. For any other name,
 * returns a timeout if the sandbox's random failures (chaos) select one for this request, and otherwise undefined.
 */
export function steeringOf(
  sandbox: Pick<Sandbox, 'chaos'>,
  customer: string,
  reference: string,
): Steering | undefined {
  if (Object.hasOwn(names, customer)) return names[customer]
  return timesOut(sandbox.chaos, { customer, reference }) ? 'timeout' : undefined
}

export type CreateAnswer = {
  // The HTTP status of the response. If the status is null, the sandbox sends no response and keeps the
  // connection open.
  status: number | null
  contentType: string
  body: string
  pauseMs: number
}

/**
 * Returns the response to a create request that was accepted. If `steering` names a simulated failure, the response
 * is delayed or replaced by this failure. `body` is JSON text.
 */
export function acceptedAnswer(
  steering: Steering | undefined,
  { status, body }: { status: number; body: string },
): CreateAnswer {
  const answer = { status, contentType: 'application/json', body, pauseMs: 0 }
  switch (steering) {
    case 'slow':
      return { ...answer, pauseMs: SLOW_ANSWER_MS }
    case 'timeout':
      return { ...answer, status: null, body: '' }
    case 'not_json':
      return { ...answer, status: 200, contentType: 'text/plain', body: 'OK' }
    case 'html':
      return { ...answer, status: 502, contentType: 'text/html', body: badGateway }
    default:
      return answer
  }
}

export async function sendAnswer(ctx: Context, answer: CreateAnswer): Promise<void> {
  if (answer.status === null) {
    ctx.respond = false
    return
  }
  if (answer.pauseMs > 0) await sleep(answer.pauseMs, undefined, { ref: false })
  ctx.status = answer.status
  ctx.type = answer.contentType
  ctx.body = answer.body
}
