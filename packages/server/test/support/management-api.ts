// Calls the management API as the demo's Owner, Partner, and Clients.

import { randomUUID } from 'node:crypto'
import type { App } from '../../src/app.ts'
import { createUser } from '../../src/auth/users/create-user.ts'
import type { Demo } from '../../src/demo/demo.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import type { Role } from '../../src/tenants/tenant.ts'
import { type Answer, http, logIn } from './merchant.ts'

export type Call = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>

export type Managers = { owner: Call; partner: Call; client: Call; client2: Call }

export const callsAs =
  (demo: Demo, auth?: string): Call =>
  (method, path, body, headers) =>
    http(method, demo.base_url + path, {
      ...(auth && { auth }),
      ...(body && { body }),
      ...(headers && { headers }),
    })

export async function managersOf(demo: Demo): Promise<Managers> {
  const [owner, partner, client, client2] = await Promise.all(
    [demo.owner, demo.partner, demo.client, demo.client2].map(async who =>
      callsAs(demo, await logIn(demo, who)),
    ),
  )
  return { owner, partner, client, client2 } as Managers
}

/** Creates a separate tenant for a test, with a logged-in user. */
export async function newTenant(
  app: App,
  demo: Demo,
  role: Role,
  parentId: string | null = null,
): Promise<{ id: string; email: string; password: string; call: Call }> {
  const { id } = await createTenant(app, null, { name: `New ${role}`, role, tier: 'growth', parentId })
  const user = { email: `${randomUUID()}@example.com`, password: 'correct horse' }
  await createUser(app, null, id, user)
  return { id, ...user, call: callsAs(demo, await logIn(demo, user)) }
}

/** Returns an error response's status, code, and message. */
export const refusal = ({ status, error }: Answer) => [status, error?.code, error?.message]
