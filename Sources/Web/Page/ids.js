// The numbers of all flows of the list, oldest first: held instead of their rows, as there may be a million.

export class IDs {
    #list = []
    #sorted = true
    #places = null

    constructor(list = []) {
        this.#list = list
        for (let index = 1; index < list.length; index += 1) {
            if (list[index] <= list[index - 1]) { this.#sorted = false; break }
        }
    }

    get count() { return this.#list.length }

    at(index) { return this.#list[index] }

    slice(from, to) { return this.#list.slice(Math.max(0, from), Math.max(0, to)) }

    /** Where it stands, or -1. */
    place(id) {
        if (!this.#sorted) {
            this.#places ??= new Map(this.#list.map((one, index) => [one, index]))
            return this.#places.get(id) ?? -1
        }
        const index = this.#before(id)
        return this.#list[index] === id ? index : -1
    }

    has(id) { return this.place(id) >= 0 }

    /** Where it was put, or -1 where it was there already. */
    put(id) {
        const length = this.#list.length
        if (!this.#sorted) {
            if (this.has(id)) return -1
            this.#list.push(id)
            this.#places?.set(id, length)
            return length
        }
        if (!length || id > this.#list[length - 1]) {
            this.#list.push(id)
            return length
        }
        const index = this.#before(id)
        if (this.#list[index] === id) return -1
        this.#list.splice(index, 0, id)
        return index
    }

    /** Where it was, or -1. */
    take(id) {
        const index = this.place(id)
        if (index < 0) return -1
        this.#list.splice(index, 1)
        this.#places = null
        return index
    }

    /** The first place whose number is not smaller. */
    #before(id) {
        let low = 0
        let high = this.#list.length
        while (low < high) {
            const middle = (low + high) >> 1
            if (this.#list[middle] < id) low = middle + 1
            else high = middle
        }
        return low
    }
}
