import { shopPage } from '../pages.ts'

export const GET = (): Response => new Response(shopPage(), { headers: { 'content-type': 'text/html' } })
