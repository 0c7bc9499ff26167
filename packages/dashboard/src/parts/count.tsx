import classes from './count.module.css'

/** A badge with the number of items that wait for a decision. It shows `100+` if the items do not fit on one page. */
export const Count = ({ of: count, title }: { of: string; title?: string }) => (
  <span className={classes.count} title={title}>
    {count}
  </span>
)
