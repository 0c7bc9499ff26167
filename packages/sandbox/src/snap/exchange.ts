import type { Context } from 'koa'
import { readBody } from '../body.ts'
import type { SnapAnswer } from './answer.ts'
import type { SnapRequest } from './profile.ts'
import { isoWib } from './time.ts'

/** Returns the request as the provider would receive it, without the sandbox's path prefix. */
export async function requestOf(ctx: Context, provider: string): Promise<SnapRequest> {
  return {
    method: ctx.method,
    path: ctx.originalUrl.slice(`/${provider}`.length),
    headers: ctx.headers,
    text: await readBody(ctx.req),
  }
}

export function say(ctx: Context, { status, body }: SnapAnswer): void {
  ctx.set('x-timestamp', isoWib(Date.now()))
  ctx.status = status
  ctx.body = body
}
