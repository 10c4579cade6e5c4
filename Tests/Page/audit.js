// What a careful reader of the page would complain of: names, roles, contrast, what is wider than the window.
(() => {
    const faults = []
    const visible = element => element.checkVisibility({ opacityProperty: false, visibilityProperty: true }) && element.getClientRects().length > 0
    const words = element => `${element.tagName.toLowerCase()}.${element.className} “${(element.textContent ?? "").trim().slice(0, 30)}”`

    for (const element of document.querySelectorAll("button, a, input, select, textarea, [role=tab], [role=grid], [role=listbox], [role=separator], dialog")) {
        if (!visible(element)) continue
        const labelled = element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.labels?.length || element.textContent.trim()
        if (!labelled) faults.push(`no name: ${words(element)}`)
    }
    const seen = new Set()
    for (const { id } of document.querySelectorAll("[id]")) {
        if (seen.has(id)) faults.push(`twice: #${id}`)
        seen.add(id)
    }
    for (const element of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby], [aria-activedescendant]")) {
        for (const name of ["aria-labelledby", "aria-describedby", "aria-activedescendant"]) {
            const id = element.getAttribute(name)
            if (id && !document.getElementById(id)) faults.push(`${name} leads to no #${id}`)
        }
    }

    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
    const read = colour => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
        return [r, g, b, a / 255]
    }
    const over = (top, ground) => [0, 1, 2].map(at => top[at] * top[3] + ground[at] * (1 - top[3])).concat(1)
    const light = ([r, g, b]) => [r, g, b].map(one => one / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4).reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0)
    const groundOf = element => {
        const layers = []
        for (let one = element; one; one = one.parentElement) layers.push(read(getComputedStyle(one).backgroundColor))
        return layers.reverse().reduce((ground, layer) => over(layer, ground), read(getComputedStyle(document.documentElement).backgroundColor === "rgba(0, 0, 0, 0)" ? "white" : getComputedStyle(document.documentElement).backgroundColor))
    }
    let texts = 0
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement
        if (!walker.currentNode.textContent.trim() || !visible(element) || element.closest(".hidden-visually, .under, noscript, option, script, style, [disabled]")) continue
        const style = getComputedStyle(element)
        if (Number(style.opacity) === 0 || parseFloat(style.fontSize) === 0 || element.closest(".field .copy")) continue
        const ground = groundOf(element)
        const [a, b] = [light(over(read(style.color), ground)), light(ground)].sort((x, y) => y - x)
        const contrast = (a + 0.05) / (b + 0.05)
        texts += 1
        if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${words(element)}`)
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) faults.push(`${document.documentElement.scrollWidth} px wide in ${innerWidth}`)
    return { texts, faults: [...new Set(faults)].slice(0, 12) }
})()
