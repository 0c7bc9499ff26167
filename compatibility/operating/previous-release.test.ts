// Tests that the previous release works with this release's tables (docs/guides/writing-migrations.md). The
// previous release starts with its own tables and keeps running while this release's migrations are applied.

import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished, test } from 'vitest'
import { root } from '../docs/pages.ts'
import { operatorsPlace } from '../docs/places.ts'
import { runPage } from '../docs/run-page.ts'

const run = promisify(execFile)

/**
 * The first migration that was added after the previous release. The previous release ends with the commit before the
 * one that added this migration. Change this constant at each release. Once releases have Git tags, use the tag
 * instead.
 */
const FIRST_NEW_MIGRATION = 'packages/server/migrations/0047_tenant_book.sql'

/**
 * Returns the Git tag or commit of the previous release, or undefined if the working tree has no Git history or
 * only part of it.
 */
async function previousRelease(): Promise<string | undefined> {
  const git = (...args: string[]) =>
    run('git', ['-C', root, ...args]).then(
      ({ stdout }) => stdout.trim().split('\n')[0] || undefined,
      () => undefined,
    )
  const tag = await git('tag', '--list', 'v*', '--sort=-version:refname')
  if (tag) return tag
  const added = await git('log', '--diff-filter=A', '--format=%H', '--', FIRST_NEW_MIGRATION)
  return added && git('rev-parse', '--verify', '--quiet', `${added}^`)
}
const release = await previousRelease()

const page = `
\`\`\`sh
export PATH=$PWD/node_modules/.bin:$PATH
cd previous
. compatibility/operating/install.sh postgres://postgres@127.0.0.1:5432/postgres 8080
\`\`\`

\`\`\`sh
pay "$(create 100000 order-1)"
waiting=$(create 40000 order-2)
balance 100000
# What upgrading asks for, if the release before did not.
psql -q "$server_url" -c 'create role gapura_tenant nologin' -c 'grant gapura_tenant to gapura' 2>/dev/null || true
applied() { psql -At "$server_url" -d "\${server_url%/*}/gapura" -c 'select count(*) from schema_migrations'; }
before=$(applied)
(cd .. && ./gapura-server migrate >/dev/null 2>&1)
after=$(applied)
[ "$after" -gt "$before" ] && echo 'migrated under it'
\`\`\`

\`\`\`text
migrated under it
\`\`\`

\`\`\`sh
./gapura --version >/dev/null 2>&1 # Installs the packages, which prints a message.
pay "$waiting"
pay "$(create 50000 order-3)"
balance 190000
[ "$(create 50000 order-3)" = "$(create 50000 order-3)" ] && echo 'a repeat is one payment'
lost=$(create 60000 order-4)
id=$(./gapura --profile shop payments list --mode test --json | field 'items[0].id')
./gapura --profile shop payments cancel "$id" --json | field status
./gapura --profile shop keys create --mode test --name another --json | field mode
./gapura --profile shop webhooks set-url https://shop.example.com/hook >/dev/null 2>&1
./gapura --profile operator tenants create --name 'Toko Kue' --json | field role
./gapura-server verify-ledger 2>/dev/null
\`\`\`

\`\`\`text
a repeat is one payment
cancelled
test
client
6 balances, 3 entries and 4 payments: they agree.
\`\`\`

A process of this release runs beside the previous one. It stores messages uncompressed, because the previous release
cannot read compressed messages.

\`\`\`sh
(cd .. && GAPURA_COMPRESS_MESSAGES=false PORT=8083 exec ./gapura-server start >>beside.log 2>&1) & beside=$!
until curl -sf -o /dev/null http://127.0.0.1:8083/readyz; do sleep 0.1; done
./gapura --version >/dev/null 2>&1 # Installs the packages again, because both versions share them.
create 30000 order-6 >/dev/null
id=$(./gapura --profile shop payments list --mode test --json | field 'items[0].id')
export GAPURA_BASE_URL=http://127.0.0.1:8083
echo 'a long password' | ./gapura --profile beside login --email toko@example.com >/dev/null 2>&1
./gapura --profile beside payments cancel "$id" --json | field status
export GAPURA_BASE_URL=$base_url
kill -TERM $beside
wait $beside
in_database() { psql -At "$server_url" -d "\${server_url%/*}/gapura" -c "$1"; }
in_database "select count(*), count(body) from webhook_events where type = 'payment.cancelled'"
in_database 'select count(*) from provider_callbacks where body is null'
\`\`\`

\`\`\`text
cancelled
2|2
0
\`\`\`

\`\`\`sh
grep -c '"level":"error"' service.log || true
stop
cd ..
start
pay "$(create 70000 order-5)"
balance 260000
in_database "select count(*) > 0 from provider_callbacks where body is null and status = 'applied'"
./gapura-server seal-ledger >/dev/null
./gapura-server verify-ledger 2>/dev/null
stop
\`\`\`

\`\`\`text
0
t
6 balances, 4 entries and 6 payments: they agree.
\`\`\`
`

test.skipIf(release === undefined)(
  'after a database upgrade, processes that still run the previous release keep accepting payments until they are replaced one by one',
  { timeout: 900_000 },
  async () => {
    const place = await operatorsPlace()
    onTestFinished(place.remove)
    const previous = join(place.directory, 'previous')
    await mkdir(previous)
    await run('bash', ['-c', `git -C '${root}' archive ${release} | tar -x -C '${previous}'`])
    await linkPackages(place.directory, previous)
    const file = join(place.directory, 'previous-release.md')
    await writeFile(file, page)
    const { close } = await runPage(file, place)
    await close()
  },
)

/**
 * Gives the previous release the dependencies that are already installed for this release, so that nothing is
 * downloaded.
 */
async function linkPackages(from: string, to: string): Promise<void> {
  await symlink(join(from, 'node_modules'), join(to, 'node_modules'))
  for (const name of ['server', 'sandbox', 'cli', 'sdk'])
    await run('cp', ['-a', join(from, 'packages', name, 'node_modules'), join(to, 'packages', name)]).catch(
      () => {},
    )
  const reference = join(to, 'packages/server/node_modules/@scalar/api-reference')
  await mkdir(reference, { recursive: true })
  await writeFile(join(reference, 'index.js'), '')
}
