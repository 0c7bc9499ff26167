// Creates the service's application object (`App`) inside a benchmark process, as the service does but without logging.

import { tmpdir } from 'node:os'
import { type Composed, compose } from '../../packages/server/src/compose.ts'
import { createLog } from '../../packages/server/src/logging/log.ts'
import type { Database } from '../host/database.ts'

export type Place = Pick<Database, 'url' | 'masterKey'>

export const composeAt = ({ url, masterKey }: Place): Promise<Composed> =>
  compose({
    role: 'worker',
    databaseUrl: url,
    masterKey: Buffer.from(masterKey),
    publicUrl: 'http://127.0.0.1',
    webhookAllowPrivate: true,
    smtpUrl: undefined,
    mailFrom: 'bench@example.com',
    dataDir: tmpdir(),
    log: createLog('error'),
  })
