import { expect, test } from 'vitest'
import { hashNewPassword } from './hash-new-password.ts'

test("if a tenant sets many passwords at once, another tenant's new password waits for the one that is being hashed and at most one more", async () => {
  const hashed: string[] = []
  const set = (tenantId: string, name: string) =>
    hashNewPassword('correct horse battery staple', tenantId).then(() => hashed.push(name))
  await Promise.all([set('a', 'a1'), set('a', 'a2'), set('a', 'a3'), set('b', 'b1')])
  expect(hashed).toEqual(['a1', 'a2', 'b1', 'a3'])
})
