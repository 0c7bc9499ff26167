import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { later, now } from '../../../test/support/make.ts'
import { deriveSecrets } from '../../secrets/secrets.ts'
import { keyRingLoader } from './key-ring.ts'
import { rotateSigningKey } from './rotate-signing-key.ts'

const { db, owner } = await testDatabase()
const secrets = deriveSecrets(randomBytes(32))
let at = now
const clock = () => at
const loader = (own = secrets) => keyRingLoader(db, own, clock, 'https://pay.example.com')
const rotate = () => rotateSigningKey({ db, secrets, clock }, null)
const kidsOf = async (load: ReturnType<typeof loader>) => (await load()).keys.map(({ kid }) => kid)

afterEach(async () => {
  at = now
  await owner.raw('delete from signing_keys')
})

test('if several processes start at once, all of them use the first signing key created', async () => {
  const rings = await Promise.all(Array.from({ length: 5 }, () => kidsOf(loader())))
  expect(new Set(rings.flat()).size).toBe(1)
})

test('each access token signing key is decrypted only once, even if the key ring is read many times', async () => {
  const decrypt = vi.fn(secrets.decrypt)
  const load = loader({ ...secrets, decrypt })
  const first = await load()
  for (let n = 0; n < 5; n++) expect((await load()).keys[0]).toBe(first.keys[0])
  expect(decrypt).toHaveBeenCalledTimes(1)
  await rotate()
  await load()
  await load()
  expect(decrypt).toHaveBeenCalledTimes(2)
})

test('if a signing key cannot be decrypted, the next load of the key ring tries again', async () => {
  await loader()()
  const decrypt = vi.fn(secrets.decrypt).mockRejectedValueOnce(new Error('away'))
  const load = loader({ ...secrets, decrypt })
  await expect(load()).rejects.toThrow('away')
  expect((await load()).keys).toHaveLength(1)
})

test('a new signing key signs tokens only after every process has read it', async () => {
  const load = loader()
  const [first] = await kidsOf(load)
  at = later(60_000)
  const { kid, followed } = await rotate()
  expect(followed).toEqual([first])
  expect(await kidsOf(load)).toEqual([first, kid])
  at = later(60_000 + 4_999)
  expect(await kidsOf(load)).toEqual([first, kid])
  at = later(60_000 + 5_000)
  expect(await kidsOf(load)).toEqual([kid, first])
  // The first signing key could still sign tokens until five seconds after it was replaced, when every
  // process had read the new key. Its last token is valid for 900 seconds.
  at = later(60_000 + 5_000 + 900_000)
  expect(await kidsOf(load)).toEqual([kid, first])
  at = later(60_000 + 5_000 + 900_000 + 60_000)
  expect(await kidsOf(load)).toEqual([kid])
})

test('after two quick key rotations, the first key still signs tokens until every process knows the newer keys', async () => {
  const load = loader()
  const [first] = await kidsOf(load)
  at = later(60_000)
  const [second, third] = [await rotate(), await rotate()]
  expect((await kidsOf(load))[0]).toBe(first)
  expect(new Set(await kidsOf(load))).toEqual(new Set([first, second.kid, third.kid]))
  at = later(65_000)
  expect((await load()).keys[0]?.kid).toBe(third.kid)
})

test("a key rotation's audit log entry contains the IDs of the signing keys, but not the keys", async () => {
  await loader()()
  const { kid, followed } = await rotate()
  const { rows } = await db.raw(
    'select action, before, after, actor_user_id from audit_log order by id desc limit 1',
  )
  expect(rows[0]).toMatchObject({
    action: 'signing_key.rotate',
    actor_user_id: null,
    before: { kids: followed },
    after: { kid },
  })
})
