async def example(source):
    async with source.open() as stream, other:
        async for item in stream:
            await handle(item)
    results = [await x async for x in source]
    return await last()
