import type { Call } from './call.ts'

/**
 * The base class for groups of calls, such as `gapura.payments`. The groups are classes with explicit types, so
 * that editors show each call's documentation.
 */
export abstract class Resource {
  protected readonly call: Call

  constructor(call: Call) {
    this.call = call
  }
}
