import type { TenantStatus } from '@gapura/server/tenant'
import { useWords } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import { tenantStatusWords } from './tenant-words.ts'

export function TenantStatusTag({ status }: { status: TenantStatus }) {
  const names = useWords(tenantStatusWords)
  return <Tag tone={status === 'active' ? 'good' : 'bad'}>{names[status]}</Tag>
}
