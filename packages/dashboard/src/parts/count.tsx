import classes from './count.module.css'

/**
 * A badge that shows how many items wait for a decision. If the items do not fit on one page, the badge shows `100+`.
 */
export const Count = ({ of: count, title }: { of: string; title?: string }) => (
  <span className={classes.count} title={title}>
    {count}
  </span>
)
