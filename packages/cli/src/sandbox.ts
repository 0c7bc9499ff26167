// Controls test payments through the provider sandbox, which simulates banks, e-wallets and stores.

import type { Payment } from '@gapura/sdk'
import type { Cli } from './cli.ts'
import { FailedError, UsageError } from './failure.ts'
import { isAddress, variableOf } from './session.ts'

export const outcomes = ['paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type Outcome = (typeof outcomes)[number]

/** The HTTP response with which the Gapura service answered one callback from the provider sandbox. */
export type CallbackResponse = { status: number; body: string }

const TIMEOUT_MS = 30_000
const SET = "set GAPURA_SANDBOX_URL to the address of this service's provider sandbox"

/**
 * Returns the address of the provider sandbox. Without GAPURA_SANDBOX_URL, the address is known only if the service
 * runs on this machine, because `npm start` gives the sandbox the port after the service's port.
 */
export function sandboxUrlOf({ env, baseUrl }: Pick<Cli, 'env' | 'baseUrl'>): string {
  const configured = variableOf(env, 'GAPURA_SANDBOX_URL')
  if (configured !== undefined) {
    if (!isAddress(configured))
      throw new UsageError(`GAPURA_SANDBOX_URL must be an http:// or https:// URL (got ${configured})`)
    return configured.replace(/\/+$/, '')
  }
  const { protocol, hostname, port } = new URL(baseUrl)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (!isHere || port === '')
    throw new FailedError(`the address of the provider sandbox for ${baseUrl} is unknown`, SET)
  return `${protocol}//${hostname}:${Number(port) + 1}`
}

/**
 * Makes the sandbox simulate a payment outcome, such as paid or expired. The sandbox then sends a callback to the
 * service, as a real provider would.
 */
export async function simulate(
  cli: Cli,
  { payment_code }: Payment,
  outcome: Outcome,
  amount?: number,
): Promise<CallbackResponse[]> {
  const url = sandboxUrlOf(cli)
  const { status, body } = await post(`${url}/simulate`, { payment_code, outcome, amount })
  if (Array.isArray(body?.callbacks)) return body.callbacks
  if (status === 404 && body?.error === 'unknown')
    throw new FailedError(
      `the sandbox at ${url} does not know payment ${payment_code}`,
      `the service created this payment at another provider or sandbox; ${SET}`,
    )
  if (body?.error === 'invalid')
    throw new FailedError(`the sandbox rejected the request: ${body.message}`, 'correct it')
  throw new FailedError(`${url} responded with ${status}, but the response is not from a sandbox`, SET)
}

type Body = { callbacks?: CallbackResponse[]; error?: string; message?: string }

async function post(url: string, value: object): Promise<{ status: number; body: Body | undefined }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = (await response.json().catch(() => undefined)) as Body | undefined
    return { status: response.status, body }
  } catch (error) {
    const { cause, message } = error as Error
    throw new FailedError(
      `no provider sandbox responds at ${url}: ${(cause as Error | undefined)?.message || message}`,
      `run npm start, which starts the service with a sandbox, or ${SET}`,
    )
  }
}
