import { expect, test } from 'vitest'
import { hashNewPassword } from './hash-new-password.ts'

test("a tenant's new password waits for at most two password hashes of another tenant that sets many passwords at once", async () => {
  const hashed: string[] = []
  const set = (tenantId: string, name: string) =>
    hashNewPassword('correct horse battery staple', tenantId).then(() => hashed.push(name))
  await Promise.all([set('a', 'a1'), set('a', 'a2'), set('a', 'a3'), set('b', 'b1')])
  expect(hashed).toEqual(['a1', 'a2', 'b1', 'a3'])
})
