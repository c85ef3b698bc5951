import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What axe finds on the page as it stands, a line per element; empty is what we want. The policy of
 * the page forbids script elements and eval, so the engine's source goes in over the debugger. All
 * rules are asked unless some are named.
 */
export async function axeViolations(
  page: Page,
  only?: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(violations, only && [...only])
}

/** Runs in the page, because the whole of what axe answers is long to send. */
async function violations(only: string[] | undefined): Promise<string[]> {
  const engine: typeof axe = Reflect.get(window, 'axe')
  const results = await engine.run(document, {
    resultTypes: ['violations'],
    ...(only ? { runOnly: only } : {}),
  })
  return results.violations.flatMap((rule) =>
    rule.nodes
      .filter((node) => !isListOfSelect(rule.id, node.html))
      .map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary ?? rule.help}`),
  )

  /**
   * The rule wants all content in landmarks and excepts dialogs, but not the list of a combobox,
   * which is reached through its combobox only and lies over the page as they do.
   */
  function isListOfSelect(rule: string, html: string): boolean {
    return rule === 'region' && html.includes('data-radix-select-viewport')
  }
}
