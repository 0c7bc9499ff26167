import type { Db } from '../db/db.ts'
import { addOutcomes, takeOutcomes } from '../payments/record/ended-payments.ts'
import { addToAccountOutcomes } from './account-outcome.sql.ts'

/**
 * Adds this process's counts of paid and unpaid payments to the database. If this fails, the counts are kept
 * for the next call.
 */
export async function storeOutcomes({ db }: { db: Db }): Promise<void> {
  const counts = takeOutcomes()
  try {
    await addToAccountOutcomes(db, counts)
  } catch (error) {
    addOutcomes(counts)
    throw error
  }
}
