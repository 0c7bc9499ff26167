import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newId } from '../values/id.ts'
import { type NoticeKind, noticeRules } from './notice.ts'
import { noticeMail } from './notice-mail.ts'

const routes = readFileSync(new URL('../../../dashboard/src/routes.tsx', import.meta.url), 'utf8')
const publicUrl = 'https://pay.example.com'

test.each(Object.keys(noticeRules) as NoticeKind[])(
  'the mail about %s links to an existing page of the dashboard',
  kind => {
    for (const endpointId of [undefined, newId()]) {
      const detail: Record<string, string> = {
        expires_at: '2026-11-20T00:00:00Z',
        last_used_at: '2026-11-19T00:00:00Z',
        ...(endpointId && { endpoint_id: endpointId }),
      }
      const notice = { id: newId(), tenantId: newId(), kind, subject: '', since: new Date(), detail }
      const { text } = noticeMail({ to: 'admin@example.com', publicUrl, notice })
      const [, page = ''] = /https:\/\/pay\.example\.com\/dashboard(\/\S+)/.exec(text) ?? []
      expect(routes).toContain(`path: '${page.replace(String(endpointId), '$endpointId')}'`)
    }
  },
)
