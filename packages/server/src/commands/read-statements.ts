// Reads signed statements about the state of the ledger: the latest one in the database, and those in a file that
// the operator stores elsewhere. The file may contain responses from /.well-known/ledger-statement.json, log lines
// or bare statements. Other content is ignored.

import { readFile } from 'node:fs/promises'
import type { JWK } from 'jose'
import { z } from 'zod'
import { listPublicKeys } from '../auth/tokens/signing-key.sql.ts'
import type { Db } from '../db/db.ts'
import { findLastStatement } from '../ledger/ledger-statement.sql.ts'
import { type LedgerStatement, verifyLedgerStatement } from '../ledger/ledger-statement.ts'
import { CommandError, USAGE } from './command-error.ts'

const jwt = /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g
const published = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) })

export async function statementsOf(db: Db, file: string | undefined): Promise<LedgerStatement[]> {
  const keys = await listPublicKeys(db)
  const last = await findLastStatement(db)
  const own = last ? [await read(keys, last.statement, 'the database')] : []
  return file === undefined ? own : [...own, ...(await readStatements(file, keys))]
}

/**
 * Reads the signed ledger statements in a file. Verifies them with the public keys in the file, because an attacker
 * could change the keys in the database. If the file has no keys, uses `knownKeys` from the database.
 */
async function readStatements(file: string, knownKeys: JWK[]): Promise<LedgerStatement[]> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw new CommandError(`${file}: ${error.message}`, USAGE)
  })
  const found = [...new Set(text.match(jwt))]
  if (found.length === 0) throw new CommandError(`${file} contains no statement`, USAGE)
  const keys = keysIn(text) ?? knownKeys
  return Promise.all(found.map(statement => read(keys, statement, file)))
}

const read = (keys: JWK[], statement: string, place: string): Promise<LedgerStatement> =>
  verifyLedgerStatement(keys, statement).catch(error => {
    throw new CommandError(`${place}: ${statement.slice(0, 40)}… is not a valid statement: ${error.message}`)
  })

function keysIn(text: string): JWK[] | undefined {
  try {
    return published.parse(JSON.parse(text)).keys as JWK[]
  } catch {
    return undefined
  }
}
