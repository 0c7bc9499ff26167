import type { Db } from '../db.ts'

/**
 * Returns a function that creates a value, such as a batch queue, once per connection pool or transaction.
 * All calls on a pool share one value. Each transaction has its own value.
 */
export function perDatabase<Value>(make: (db: Db) => Value): (db: Db) => Value {
  const values = new WeakMap<Db, Value>()
  return db => {
    const existing = values.get(db)
    if (existing !== undefined) return existing
    const value = make(db)
    values.set(db, value)
    return value
  }
}
