// Reads every provider's published messages and the contract data of its adapter. The messages are found by folder
// name, so a new adapter in providers/registry.ts needs no change here.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContractData } from '../../src/providers/contract-data.ts'
import type { CallbackRequest } from '../../src/providers/provider.ts'

const folder = join(import.meta.dirname, '../../src/providers')

export type Notification = {
  name: string
  /** The path of the notification request, from a recorded request or from the provider's documentation. */
  path: string
  headers: Record<string, string>
  /** The request body, which is JSON or a form. */
  body: string
}

type Fixture = {
  kind: string
  request: { path: string }
  headers: Record<string, string>
  raw_body: string
  expect?: { signature_valid?: boolean }
}

export async function contractDataOf(code: string): Promise<ContractData> {
  const { contractData } = await import(`../../src/providers/${code}/contract-data.ts`)
  return contractData
}

/** Returns the valid notifications from a provider's folder and from the folders of the protocols it uses. */
export function notificationsOf(code: string, { protocols = [] }: ContractData): Notification[] {
  return [code, ...protocols].flatMap(each =>
    readdirSync(join(folder, each, 'fixtures')).flatMap(name => {
      const fixture = JSON.parse(readFileSync(join(folder, each, 'fixtures', name), 'utf8')) as Fixture
      if (fixture.kind !== 'notification' || fixture.expect?.signature_valid !== true) return []
      const headers = Object.entries(fixture.headers).map(([key, value]) => [key.toLowerCase(), value])
      const { raw_body: body, request } = fixture
      return [{ name: `${each}/${name}`, path: request.path, headers: Object.fromEntries(headers), body }]
    }),
  )
}

export const isJson = ({ body }: Notification): boolean => body.trimStart().startsWith('{')

export const messageOf = (notification: Notification): unknown =>
  isJson(notification)
    ? JSON.parse(notification.body)
    : Object.fromEntries(new URLSearchParams(notification.body))

/**
 * Returns a notification body with the given message, as JSON or as a form. A form contains only the values
 * that are text.
 */
export function bodyOf(notification: Notification, message: unknown): Buffer {
  if (isJson(notification)) return Buffer.from(JSON.stringify(message))
  const fields = Object.entries(message as object).filter(([, value]) => typeof value === 'string')
  return Buffer.from(new URLSearchParams(fields as [string, string][]).toString())
}

export const ACCOUNT_ID = '01990000-0000-7000-8000-000000000014'

export const callbackOf = (code: string, { path, headers }: Notification, body: Buffer): CallbackRequest => ({
  path: `/v1/callbacks/${code}/${ACCOUNT_ID}${path}`,
  headers: { ...headers },
  body,
  receivedAt: new Date('2026-11-20T03:04:05Z'),
})
