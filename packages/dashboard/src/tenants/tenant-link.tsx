import { TextLink } from '../parts/links.tsx'
import { TenantName } from './tenant-name.tsx'

/** A tenant, of which only the id is known here. */
export const TenantLink = ({ id }: { id: string }) => (
  <TextLink to="/tenants/$tenantId" params={{ tenantId: id }} inherit>
    <TenantName id={id} />
  </TextLink>
)
