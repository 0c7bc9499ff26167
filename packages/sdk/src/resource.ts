import type { Call } from './call.ts'

/**
 * The base class of the groups of calls, such as `gapura.payments`. The groups are classes with explicit types, so
 * that editors show the documentation of each call.
 */
export abstract class Resource {
  protected readonly call: Call

  constructor(call: Call) {
    this.call = call
  }
}
